import type { Place } from './portal.ts'

/** Where the portal of this run stands, as the set-up has said it. */
export const place = JSON.parse(process.env.PORTAL_STAGE ?? '{}') as Place
