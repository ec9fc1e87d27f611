import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { say } from '@portal/contracts/sentences'
import { makeAdministrator } from '../access/accounts.service.ts'
import { passwordFault } from '../access/passwords.ts'
import { readSettings, SettingsFault } from '../kit/process/settings.ts'
import { withContext } from './connected.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run admin:create -- EMAIL FIRST_NAME LAST_NAME: creates an administrator. The password is asked for, or read from
 * standard input.
 */
async function run() {
  const [email, first_name, last_name] = process.argv.slice(2)
  if (!email || !first_name || !last_name || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    throw new SettingsFault('Write: npm run admin:create -- e-mail "first name" "last name"')
  }
  const password = await readPassword()
  const fault = await passwordFault(password, { email: email.toLowerCase(), first_name, last_name })
  if (fault) throw new SettingsFault(say(fault, 'en'))
  await withContext(readSettings(process.env), 'admin-create', async (context) => {
    await makeAdministrator(context, { email, first_name, last_name, password })
  })
  console.log(`${email} can sign in as an administrator.`)
}

/** Reads the password without showing it. It is not an argument, because the shell's history would keep it. */
async function readPassword(): Promise<string> {
  const terminal = process.stdin.isTTY
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: terminal ? silent : undefined, terminal })
  if (terminal) process.stdout.write('Password (12 characters or more): ')
  try {
    const [line] = terminal
      ? [await lines.question('')]
      : [(await lines[Symbol.asyncIterator]().next()).value ?? '']
    if (terminal) process.stdout.write('\n')
    return line ?? ''
  } finally {
    lines.close()
  }
}

await runCommand(run)
