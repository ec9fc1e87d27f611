import '@portal/contracts/permissions'

// Declares the permissions of portal.module.json to the compiler.
declare module '@portal/contracts/permissions' {
  interface ModulePermissions {
    'nutrition.view': true
    'nutrition.write': true
  }
}
