import type { RegistryParts } from './parts.ts'

/** One act of an administrator in the portal. `build` is set if it is about a build. Otherwise it changes a module, and `generation` is the one that was on the screen. */
export type Step = { id: string; module: string; build: string | null; generation: number | null }

/**
 * Whether a step has changed the registry. The portal asks it for a step whose process died, because the registry changes
 * before the transaction with the audit row is committed. `false` is no promise: the change may still be on its way.
 */
export async function wasTaken(
  { generations, admissions }: Pick<RegistryParts, 'generations' | 'admissions'>,
  { id, module, build, generation }: Step,
): Promise<boolean> {
  if (build) {
    const admission = await admissions.of(module, build)
    return admission !== null && [admission.step, admission.trust?.step].includes(id)
  }
  if (generation === null) return false
  const now = await generations.now()
  // A step follows what was live, so the first generation after it that can be read is made by this step or by another one.
  for (let number = generation + 1; number <= now.generation; number += 1) {
    const made = await generations.read(number)
    if (made) return made.step === id
  }
  return false
}
