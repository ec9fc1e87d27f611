import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { newModule } from '../src/new.ts'
import { messageOf } from '../src/refusal.ts'
import { pack } from './pack.ts'

/** Usage: npm run module:new -- ../mfe-something: a module to begin with, with the packages of this portal beside it. */
const [asked] = process.argv.slice(2)
const vendor = await mkdtemp(join(tmpdir(), 'portal-vendor-'))
try {
  // npm runs its scripts in the repository, whoever asked from where.
  const folder = asked && resolve(process.env.INIT_CWD ?? '.', asked)
  await pack(vendor)
  console.log(await newModule(folder, vendor))
} catch (fault) {
  console.error(messageOf(fault))
  process.exitCode = 1
} finally {
  await rm(vendor, { recursive: true, force: true })
}
