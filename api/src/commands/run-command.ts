import { SettingsFault } from '../kit/process/settings.ts'

/**
 * Runs a command. A fault that its user can mend is printed without a stack: that of a setting, and what `known` has a
 * sentence for. The process then ends with code 1.
 */
export async function runCommand(
  run: () => Promise<unknown>,
  known: (error: unknown) => string | undefined = () => undefined,
): Promise<void> {
  try {
    await run()
  } catch (error) {
    console.error(error instanceof SettingsFault ? error.message : (known(error) ?? error))
    process.exitCode = 1
  }
}
