import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { caseStage, file, pdf } from '../cases/case-stage.ts'
import { startPortal } from '../portal.ts'

/** Bytes of the separate disk, which only root can mount: half of what the upload needs. */
const space = 256 * 1024

test('someone who uploads to a full disk is told so, loses nothing, and sends it again when there is space', async () => {
  const portal = await startPortal()
  const { filer, form } = await caseStage(portal)
  const files = join(portal.settings.dataDir, 'files')
  const temp = join(files, 'temp')
  execFileSync('mkdir', ['-p', temp])
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${space}`, 'tmpfs', files])
  onTestFinished(() => void execFileSync('umount', [files]))
  const large = Buffer.concat([pdf, Buffer.alloc(2 * space, '% \n'), Buffer.from('\n%%EOF\n')])
  const upload = () => filer.upload('/admin/cases', { ...form, file: file('letter.pdf', large) })

  expect(await upload()).toMatchObject({
    status: 507,
    body: {
      code: 'storage_full',
      message:
        'The portal has no space left on its disk. Nothing was saved: tell an administrator, and try again when there is space.',
    },
  })
  expect(readdirSync(temp)).toEqual([])
  const { rows } = await portal.owner.query('select id from cases')
  expect(rows).toEqual([])

  execFileSync('mount', ['-o', `remount,size=${20 * space}`, files])
  expect((await upload()).status).toBe(200)
})
