// biome-ignore-all lint/performance/noBarrelFile: one chunk is one file that is fetched lazily
// One chunk for all three sheets: three chunks would cost three round trips for a few hundred bytes.
export { KeysSheet } from './KeysSheet.tsx'
export { NotificationsSheet } from './NotificationsSheet.tsx'
export { SearchSheet } from './SearchSheet.tsx'
