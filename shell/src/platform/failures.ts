import type { RegistryModule } from '@portal/sdk/manifest'

/** Why a module cannot be shown (Modules 3.1). */
export type Failure =
  | { reason: 'unreachable'; file: string }
  /** A web page came in place of a script: a proxy or sign-in page answered instead of the server. */
  | { reason: 'html'; file: string }
  | { reason: 'contract'; needed: string }
  /** Built for another version of a shared singleton, mostly React. */
  | { reason: 'shared'; library: string; needed: string; here: string }
  | { reason: 'integrity' }
  | { reason: 'invalid' }
  /** Its code threw an error before there was a page. */
  | { reason: 'threw'; message: string }
  | { reason: 'withheld'; why: NonNullable<RegistryModule['withheld']> }
  | { reason: 'disabled' }
  | { reason: 'denied' }

/** An error whose reason is known where it is thrown. */
export class ModuleFault extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.reason)
    this.failure = failure
  }
}

/** Whether it is a network failure: only these are retried, others would fail again. */
export const isPassing = (failure: Failure): failure is Extract<Failure, { file: string }> =>
  'file' in failure

// Without letters and digits that look alike: it is read out over the telephone.
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** What a person quotes and an administrator looks for: `MF-7K3Q9D`. */
export const newReference = (): string =>
  `MF-${[...crypto.getRandomValues(new Uint8Array(6))].map((byte) => letters[byte % 32]).join('')}`
