import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../packing/emit.ts'
import { archives } from '../packing/pack.ts'
import { newModule } from '../src/new.ts'

const command = join(root, 'deploy/portal-module/bin/portal-module.mjs')

/** A module in its own folder, as a partner has it, with the packages of this repository. */
export type TestModule = Awaited<ReturnType<typeof makeModule>>

/** Makes a module from the template and links the packages that it needs. */
export async function makeModule() {
  const place = mkdtempSync(join(tmpdir(), 'portal-module-'))
  const vendor = join(place, 'vendor')
  mkdirSync(vendor)
  for (const { file } of archives()) writeFileSync(join(vendor, file), '')
  const dir = join(place, 'mfe-clinics')
  await newModule(dir, vendor)
  mkdirSync(join(dir, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(dir, 'node_modules', name))

  const env = (portal?: string, more: NodeJS.ProcessEnv = {}) => ({
    ...process.env,
    PORTAL_KEY: '',
    PORTAL_URL: portal ?? 'http://127.0.0.1:1',
    ...more,
  })

  /** Runs one command line. Returns its output and exit code. */
  const run = (
    args: string[],
    portal?: string,
    more?: NodeJS.ProcessEnv,
  ): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const options = { cwd: dir, env: env(portal, more) }
      execFile(process.execPath, [command, ...args], options, (fault, out, err) =>
        resolve({ code: fault ? Number(fault.code ?? 1) : 0, output: out + err }),
      )
    })

  return {
    dir,
    run,
    /** Starts a command that keeps running, and waits for the output `until`. */
    async start(args: string[], portal: string, until: RegExp) {
      const child = spawn(process.execPath, [command, ...args], { cwd: dir, env: env(portal) })
      let output = ''
      await new Promise<void>((resolve, reject) => {
        const hear = (text: Buffer) => {
          output += text
          if (until.test(output)) resolve()
        }
        child.stdout.on('data', hear)
        child.stderr.on('data', hear)
        child.once('exit', () => reject(new Error(output)))
      })
      return { heard: () => output, stop: () => child.kill('SIGTERM') }
    },
    write: (file: string, content: string) => writeFileSync(join(dir, file), content),
    change(file: string, make: (text: string) => string) {
      writeFileSync(join(dir, file), make(readFileSync(join(dir, file), 'utf8')))
    },
    setVersion(version: string) {
      this.change('package.json', (text) => text.replace(/"version": "[^"]+"/, `"version": "${version}"`))
    },
    end: () => rm(place, { recursive: true, force: true }),
  }
}
