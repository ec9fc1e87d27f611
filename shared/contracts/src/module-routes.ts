/** Whether an address of the portal is at the pages of a module. */
export const isAtRoutes = (routes: readonly string[], path: string): boolean =>
  routes.some((route) => path === route || (route !== '/' && path.startsWith(`${route}/`)))
