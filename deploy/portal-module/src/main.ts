import { commands, usage } from './commands.ts'
import { expectNode } from './node-version.ts'
import { messageOf, Refusal } from './refusal.ts'
import { placeOf, readArguments } from './settings.ts'

/** Runs one command line and returns the exit code. */
export async function run(args: string[], dir = process.cwd()): Promise<number> {
  try {
    expectNode()
    const given = readArguments(args)
    const [name = '', ...words] = given.positionals
    if (!name || given.values.help) {
      console.log(usage)
      return name || given.values.help ? 0 : 1
    }
    const command = commands[name]
    if (!command) throw new Refusal(`There is no command ${name}.\n${usage}`)
    return (await command({ words, values: given.values, place: placeOf(dir, given) })) ?? 0
  } catch (fault) {
    console.error(fault instanceof Refusal || process.env.DEBUG === undefined ? messageOf(fault) : fault)
    return 1
  }
}
