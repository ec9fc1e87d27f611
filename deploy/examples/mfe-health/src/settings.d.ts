import '@portal/contracts/module-settings'

// Declares the settings of portal.module.json to the compiler.
declare module '@portal/contracts/module-settings' {
  interface ModuleSettings {
    visitsOnCard: number
  }
}
