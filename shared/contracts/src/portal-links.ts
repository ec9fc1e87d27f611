/** Pages of kinds of things that no module declares, because they belong to the portal itself. No module may declare them. */
export const portalLinks = [
  { kind: 'import.attendance', link: '/home/attendance/import?import={id}' },
] as const
