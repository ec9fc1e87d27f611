import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Settings } from '../kit/process/settings.ts'
import { commonPasswords } from './common-passwords.ts'
import { isGuessable, type Owner } from './password-strength.ts'

type Cost = Settings['passwordCost']
const options = ({ memory, time }: Cost) => ({ memoryCost: memory, timeCost: time, parallelism: 1 })

/** Returns the key of the sentence that refuses a new password (Access 1.1), or undefined. */
export async function passwordFault(password: string, owner: Owner): Promise<string | undefined> {
  const length = [...password].length
  if (length < 12 || length > 200) return 'password_length'
  const folded = password.toLowerCase()
  const easy = folded === owner.email || commonPasswords.has(folded) || (await isGuessable(password, owner))
  return easy ? 'password_common' : undefined
}

/** Hashes a password with argon2id. */
export const hashPassword = (password: string, cost: Cost) => hash(password.normalize('NFC'), options(cost))

const decoys = new Map<string, Promise<string>>()

/**
 * Whether the password matches the hash. Without a hash it takes the same time, so that the timing does not reveal an
 * account.
 */
export async function fitsPassword(
  stored: string | null | undefined,
  password: string,
  cost: Cost,
): Promise<boolean> {
  const costs = `${cost.memory} ${cost.time}`
  const decoy = decoys.get(costs) ?? hashPassword(randomBytes(16).toString('hex'), cost)
  decoys.set(costs, decoy)
  const fits = await verify(stored ?? (await decoy), password.normalize('NFC'))
  return fits && Boolean(stored)
}
