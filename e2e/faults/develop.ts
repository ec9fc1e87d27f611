import { type ChildProcess, spawn } from 'node:child_process'
import { commandOf } from './new-module.ts'

let served: ChildProcess | undefined

/** Starts `dev` in a module, in place of the one before, and answers what it prints in the place of `until`. */
function serve(dir: string, words: string[], until: RegExp, env: NodeJS.ProcessEnv = {}): Promise<string> {
  served?.kill()
  const child = spawn(process.execPath, [commandOf(dir), 'dev', ...words], {
    cwd: dir,
    env: { ...process.env, ...env },
  })
  served = child
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The command ended with ${code}.`)))
    child.stdout.on('data', (text) => {
      const found = until.exec(String(text))?.[1]
      if (found) resolve(found)
    })
  })
}

/** Starts `dev --alone`, and answers where the portal's own pages are. */
export const develop = (dir: string, port: string, ...more: string[]): Promise<string> =>
  serve(dir, ['--alone', '--port', port, ...more], /switch: (http:\S+)/)

/** Starts `dev` for a real portal, and answers where that takes the module from this machine. */
export const developIn = (dir: string, port: string, portal: string): Promise<string> =>
  serve(dir, ['--port', port], /(http:\S+\/dev\/override\?\S+)/, { PORTAL_URL: portal })

/** Ends the command that was started last. */
export const endDevelopment = (): void => void served?.kill()
