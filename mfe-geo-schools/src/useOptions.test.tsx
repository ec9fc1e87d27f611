import { drawInShell } from '@portal/screens/test-host'
import { eventually } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { useSchoolsOf } from './useOptions.tsx'

const names = Array.from({ length: 230 }, (_, n) => ({ id: n + 1, name: `School ${n + 1}` }))

function Names() {
  return useSchoolsOf('4').map(({ id, name }) => <li key={id}>{name}</li>)
}

test('an officer chooses among all schools of a CAP, not among the first hundred', async () => {
  const { box, end } = await drawInShell(<Names />, ({ url }) => {
    const page = Number(new URLSearchParams(url.split('?')[1]).get('page') ?? 1)
    const data = names.slice((page - 1) * 100, page * 100)
    return { body: { schools: { data, current_page: page, last_page: 3, per_page: 100, total: 230 } } }
  })
  await eventually(() =>
    expect([...box.querySelectorAll('li')].map((each) => each.textContent)).toEqual(
      names.map(({ name }) => name),
    ),
  )
  await end()
})
