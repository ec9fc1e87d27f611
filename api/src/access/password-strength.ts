import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** The owner of a password. A password made of their own name is easy to guess. */
export type Owner = { first_name: string; last_name: string; email: string | null }

/**
 * A password has to outlast this many guesses. Twelve random letters are 10^12, a common word with a year and a sign is
 * about 10^8.
 */
const guessesAtLeast = 1e11
/** Only the beginning of a long password is rated, because an estimate takes longer for each character. If the beginning is strong, all of it is. */
const lengthAtMost = 64
/** Words that anybody tries first at this portal. */
const portalWords = ['portal', 'portail', 'demo', 'grant', 'bourse', 'school', 'ecole', 'mali', 'senegal']

let estimator: Promise<ZxcvbnFactory> | undefined

/** The dictionaries take a third of a second to read, so they are read with the first password. */
async function makeEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, french] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-fr'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...french.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: lengthAtMost,
  })
}

/** Whether a new password is easy to guess by its words, dates and keyboard runs, or for whoever knows the person. */
export async function isGuessable(password: string, owner: Owner): Promise<boolean> {
  estimator ??= makeEstimator()
  const own = [owner.first_name, owner.last_name, owner.email ?? ''].flatMap((text) => [
    text,
    ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2),
  ])
  return (await estimator).check(password, [...own.filter(Boolean), ...portalWords]).guesses < guessesAtLeast
}
