import { findViolation } from './check.ts'
import { simulate } from './world.ts'

// node api/test/simulation/command.ts [schedules] [seed]      runs schedules from a random seed or the given one
// node api/test/simulation/command.ts replay '<schedule>'     runs one schedule again
const [what = '2000', given] = process.argv.slice(2)

if (what === 'replay') {
  const violations = simulate(JSON.parse(given ?? '{}'))
  process.stdout.write(`${violations.join('\n') || 'Everything held.'}\n`)
  process.exitCode = violations.length > 0 ? 1 : 0
} else {
  const seed = given === undefined ? Date.now() % 2 ** 31 : Number(given)
  const started = Date.now()
  const found = findViolation({ schedules: Number(what), seed })
  const seconds = ((Date.now() - started) / 1000).toFixed(0)
  if (found) {
    const schedule = JSON.stringify(found.schedule)
    process.stdout.write(
      `${found.violations.join('\n')}\nseed ${seed}, schedule ${found.schedules}. Replay it with:\n`,
    )
    process.stdout.write(`node api/test/simulation/command.ts replay '${schedule}'\n`)
    process.exitCode = 1
  } else process.stdout.write(`${what} schedules from seed ${seed} held, ${seconds} s\n`)
}
