import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './lib/paths.mjs'

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'portal-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the start command to its end. @param {NodeJS.ProcessEnv} env @returns {Promise<{ code: number | null, output: string }>} */
function start(env) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'start.mjs')], {
    env: { ...process.env, NODE_ENV: undefined, PORTAL_DEMO: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output: output.trim() })))
}

/** @returns {Promise<number>} */
function heldPort() {
  const server = createServer()
  onTestFinished(() => void server.close())
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    }),
  )
}

test('someone whose port is taken reads which one and how to choose another', async () => {
  const port = await heldPort()
  const { code, output } = await start({ PORT: String(port), PORTAL_DATA_DIR: emptyFolder() })
  expect(code).toBe(1)
  expect(output).toBe(
    `Port ${port} is taken by another program: stop that program, or choose another port, for example PORT=${port + 1000} npm start.`,
  )
})

test('someone whose data folder cannot be written reads which one and what to do', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'file'), '')
  const { code, output } = await start({ PORTAL_DATA_DIR: join(folder, 'file', 'data') })
  expect(code).toBe(1)
  expect(output).toBe(
    `The data folder ${join(folder, 'file', 'data')} cannot be written (ENOTDIR): make it writable, or set PORTAL_DATA_DIR to another folder.`,
  )
})

test('other people on the machine can neither list an older data folder nor read its logs once the portal is started', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'logs'))
  for (const name of ['audit-end.json', 'logs/api.log'])
    writeFileSync(join(folder, name), 'text', { mode: 0o644 })
  for (const path of [folder, join(folder, 'logs')]) chmodSync(path, 0o755)
  await start({ PORT: String(await heldPort()), PORTAL_DATA_DIR: folder })
  const mode = (/** @type {string} */ name) => statSync(join(folder, name)).mode & 0o777
  // As root the account of the database server may pass through the folder, and not list it.
  expect(mode('.')).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
  expect(mode('logs')).toBe(0o700)
  expect([mode('audit-end.json'), mode('logs/api.log')]).toEqual([0o600, 0o600])
})

test('someone whose port is not a number reads which setting is wrong', async () => {
  const { code, output } = await start({ PORT: 'http', PORTAL_DATA_DIR: emptyFolder() })
  expect(code).toBe(1)
  expect(output).toBe('PORT is "http", which is no port: set a number from 1 to 65535.')
})

test('an operator who starts the portal in production gets no demo', async () => {
  const { code, output } = await start({
    NODE_ENV: 'production',
    PORTAL_DEMO: '',
    PORTAL_DATA_DIR: emptyFolder(),
  })
  expect(code).toBe(1)
  expect(output).toMatch(/^NODE_ENV is production/)
})
