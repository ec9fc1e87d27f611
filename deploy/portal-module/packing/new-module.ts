import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { newModule } from '../src/new.ts'
import { messageOf } from '../src/refusal.ts'
import { pack } from './pack.ts'
import { packStage } from './stage.ts'

/** Usage: npm run module:new -- ../mfe-something. Makes a new module from the template, with packed packages of this portal. */
const [asked] = process.argv.slice(2)
const vendor = await mkdtemp(join(tmpdir(), 'portal-vendor-'))
try {
  // npm runs scripts in the folder of the repository, not in the folder of the caller.
  const folder = asked && resolve(process.env.INIT_CWD ?? '.', asked)
  await pack(vendor)
  await packStage(vendor)
  console.log(await newModule(folder, vendor))
} catch (fault) {
  console.error(messageOf(fault))
  process.exitCode = 1
} finally {
  await rm(vendor, { recursive: true, force: true })
}
