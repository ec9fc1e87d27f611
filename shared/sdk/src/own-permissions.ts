import type { ModuleBuild } from './manifest.ts'

/** Every permission that a manifest asks for. */
export function permissionsAsked(details: ModuleBuild): string[] {
  const asked = [
    details.permission,
    ...details.nav.flatMap((item) => [item.permission, ...item.children.map((child) => child.permission)]),
    ...details.cards.map((card) => card.permission),
    ...(details.tabs ?? []).map((tab) => tab.permission),
    ...(details.rows ?? []).map((act) => act.permission),
    ...(details.columns ?? []).map((column) => column.permission),
    ...(details.search ?? []).map((source) => source.permission),
    ...(details.first_day ?? []).map((step) => step.permission),
    ...(details.notices ?? []).map((notice) => notice.permission),
    ...(details.reports ?? []).map((report) => report.permission),
    ...(details.events ?? []).map((event) => event.permission),
    ...details.collections.flatMap(({ read, write }) => [read, write]),
    ...(details.backends ?? []).flatMap(({ read, write }) => [read, write]),
  ]
  return asked.flatMap((each) => each ?? [])
}
