import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { rows, whileLocked } from './database.ts'
import { place } from './stage/place.ts'

/**
 * As after a restored backup: the mark that stood outside of the database is gone. Workers take the lock for a look;
 * in the middle of one, they would write the mark anew without missing it.
 */
export async function loseMark() {
  // No order is on the line here, so the agencies are asked at once.
  await rows('update sending_marks set line_seconds = 0')
  await whileLocked('sending-mark', () => rm(join(place.folder, 'sending-mark.json'), { force: true }))
  await expect.poll(async () => (await openHolds()).length, { timeout: 60_000 }).toBe(1)
}

export const openHolds = () => rows<{ id: number }>('select id from sending_holds where released_at is null')

/** Whatever a journey left behind: the others need payments to go out. */
export const endHolds = () =>
  rows(
    "update sending_holds set released_at = now(), released_by = (select id from users where email = 'approver@portal.example') where released_at is null",
  )
