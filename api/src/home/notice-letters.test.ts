import { noticeKinds, noticeWords } from '@portal/contracts/notices'
import { expect, test } from 'vitest'
import { reminder, waitsSentences } from '../transfers/decisions/decision-reminder.messages.ts'
import { mailSentences, noticeSentences } from './messages.ts'
import { digestLetter, noticeLetter } from './notice-letters.ts'

const line = (kind: (typeof noticeKinds)[number], text: string, id: number) => ({
  kind,
  text,
  link: `/admin/cases/${id}/details`,
})
const lines = [
  line('case-due', 'Due.', 1),
  line('case-assigned', 'First.', 2),
  line('case-assigned', 'Second.', 3),
]

test('a person reads the lines of a day under the words of their kind, each with its link', () => {
  const { subject, body } = digestLetter(lines, 'https://portal.example', 'en')
  expect(subject).toBe('What waits for you: 3')
  expect(body).toBe(
    [
      'This happened since the last mail of this kind:',
      '',
      'Case assigned to you (2)',
      '- First.',
      '  https://portal.example/admin/cases/2/details',
      '- Second.',
      '  https://portal.example/admin/cases/3/details',
      '',
      'Case due or overdue (1)',
      '- Due.',
      '  https://portal.example/admin/cases/1/details',
      '',
      '-- ',
      'You choose on your profile which of these mails you get, and when:',
      'https://portal.example/profile',
      '',
    ].join('\n'),
  )
})

test('a person who reads French gets both mails in French', () => {
  expect(digestLetter(lines, '', 'fr').body).toContain('Dossier qui vous est attribué (2)\n')
  const letter = noticeLetter({ text: 'Le dossier CAS-1 vous est attribué.', link: '/x' }, 'https://p', 'fr')
  expect(letter).toMatch(/^Le dossier CAS-1 vous est attribué\.\nhttps:\/\/p\/x\n\n-- \nVous choisissez/)
})

test('no mail has the third part of a sentence about a case, which is its title', () => {
  expect(mailSentences['case-assigned']?.en).not.toContain('{1}')
  expect(mailSentences['case-due']?.en).not.toContain('{3}')
})

test('every kind has its sentence and its words in both languages', () => {
  // What waits for a second person is a whole sentence, and the part of another one.
  const { 'decision-waits': part, ...sentences } = noticeSentences
  expect(part).toEqual({ en: '{0}', fr: '{0}' })
  for (const { en, fr } of [...Object.values(sentences), ...Object.values(waitsSentences), reminder])
    expect(en).not.toBe(fr)
  for (const kind of noticeKinds) expect(noticeWords[kind].en).not.toBe(noticeWords[kind].fr)
})
