// biome-ignore-all lint/performance/noBarrelFile: one chunk is one file that is imported late
// One piece for the three: each of its own would be three round trips for a few hundred bytes.
export { KeysSheet } from './KeysSheet.tsx'
export { NotificationsSheet } from './NotificationsSheet.tsx'
export { SearchSheet } from './SearchSheet.tsx'
