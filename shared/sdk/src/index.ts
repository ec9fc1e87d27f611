export * from './define-module.ts'
export * from './facade.ts'
export * from './host.ts'
export { contractVersion } from './registry.ts'
