// biome-ignore-all lint/performance/noBarrelFile: drizzle-kit reads every table from one file; nothing imports it
// Every table, for drizzle-kit: what is not named here is not migrated.
export * from './access/roles.tables.ts'
export * from './access/users.tables.ts'
export * from './cases/cases.tables.ts'
export * from './demo/demo.tables.ts'
export * from './home/notifications.tables.ts'
export * from './imports/imports.tables.ts'
export * from './kit/audit.tables.ts'
export * from './kit/exports.tables.ts'
export * from './kit/files.tables.ts'
export { listTotals } from './kit/totals.ts'
export * from './modules/modules.tables.ts'
export * from './registers/places.tables.ts'
export * from './registers/schools.tables.ts'
export * from './registers/students.tables.ts'
export * from './sync/sync.tables.ts'
export * from './transfers/payments.tables.ts'
export {
  transferAgencies,
  transferCohorts,
  transferMasterList,
  transferParameters,
  transferRounds,
} from './transfers/transfers.tables.ts'
