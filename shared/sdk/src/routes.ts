import type { ComponentType } from 'react'
import type { EarlierRoute, ModuleRoute } from './define-module.ts'

/** Fetches the page of a route, of this contract or of an earlier one. */
export async function fetchPage(route: ModuleRoute | EarlierRoute): Promise<ComponentType> {
  const file = await ('lazy' in route ? route.lazy() : route.page())
  return 'Component' in file ? file.Component : file.default
}
