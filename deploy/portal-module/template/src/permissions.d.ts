import '@portal/contracts/permissions'

// The permissions of portal.module.json, so that the compiler knows them wherever one is asked for.
declare module '@portal/contracts/permissions' {
  interface ModulePermissions {
    'starter.view': true
    'starter.write': true
  }
}
