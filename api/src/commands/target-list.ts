import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkDemoMarker } from '../demo/marker.service.ts'
import { makeTargetList, targetListText, targetListWorkbook } from '../demo/target-list.ts'
import { writeWorkbook } from '../excel/write.ts'
import { readSettings, SettingsFault } from '../kit/process/settings.ts'
import { withDatabase } from './connected.ts'
import { runCommand } from './run-command.ts'

const usage = 'Usage: npm run demo:target-list -- --rows 15000 --out list.xlsx [--country ml|sn] [--skip 0]'

/** Writes a target list of the demo's students, for a person to upload. */
async function run() {
  const options = {
    rows: { type: 'string' },
    out: { type: 'string' },
    country: { type: 'string' },
    skip: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: process.argv.slice(2).filter((word) => word !== '--'), options })
  const { rows = '100', out, country = 'ml', skip = '0' } = values
  if (
    !out ||
    !/\.(xlsx|csv)$/.test(out) ||
    !/^\d+$/.test(rows + skip) ||
    (country !== 'ml' && country !== 'sn')
  )
    throw new SettingsFault(usage)
  const settings = readSettings(process.env)
  if (!settings.demo)
    throw new SettingsFault('Only a demo makes up target lists: start it with PORTAL_DEMO=true.')
  await withDatabase(settings, 2, async (db) => {
    await checkDemoMarker(db, true)
    const list = await makeTargetList(db, { count: Number(rows), skip: Number(skip), country })
    if (list.length < Number(rows))
      throw new SettingsFault(`The portal has ${list.length} such students only: is it filled as a demo?`)
    if (out.endsWith('.csv')) writeFileSync(out, targetListText(list))
    else await writeWorkbook(resolve(out), targetListWorkbook(list))
    console.log(`${list.length} rows in ${out}`)
  })
}

await runCommand(run)
