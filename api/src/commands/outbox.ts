import { readLetter, sendWaiting, type WaitingLetter, waitingLetters } from '../home/outbox.service.ts'
import { readSettings, SettingsFault } from '../kit/process/settings.ts'
import { withContext } from './connected.ts'
import { runCommand } from './run-command.ts'

const usage = `npm run outbox                   lists the letters that no mail server took
npm run outbox -- read NAME      prints one
npm run outbox -- send NAME …    lets a worker with SMTP_URL send them; \`all\` names every one`

/** What stands behind a letter: that it cannot be sent any more, or why no mail server took it. */
function remark({ ended, error }: Pick<WaitingLetter, 'ended' | 'error'>): string {
  if (ended) return '  (not sent any more: its links have ended)'
  return error ? `  (${error.replace(/^Error: /, '').replace(/\s+/g, ' ')})` : ''
}

/** npm run outbox: the letters that wait because there is no mail server, or was none for too long. */
async function run() {
  const [word = 'list', ...names] = process.argv.slice(2)
  if (!['list', 'read', 'send'].includes(word) || (word !== 'list' && names.length === 0))
    throw new SettingsFault(usage)
  await withContext(readSettings(process.env), 'portal-outbox', async (context) => {
    const waiting = await waitingLetters(context.db)
    const unknown = names.filter((name) => name !== 'all' && !waiting.some((letter) => letter.name === name))
    if (unknown.length > 0)
      throw new SettingsFault(`No letter of the outbox is called ${unknown.join(', ')}.`)
    if (word === 'list') {
      for (const { name, recipient, subject, ...letter } of waiting)
        console.log(`${name}  ${recipient}  ${subject}${remark(letter)}`)
      console.log(`Waiting: ${waiting.length}.`)
      return
    }
    const chosen = names.includes('all') ? waiting : waiting.filter(({ name }) => names.includes(name))
    if (word === 'read') {
      for (const letter of chosen) console.log((await readLetter(context, letter)) ?? '')
    } else {
      const ids = chosen.map(({ id }) => id)
      console.log(`Queued: ${await sendWaiting(context, ids)}. A worker with SMTP_URL sends them.`)
    }
  })
}

await runCommand(run)
