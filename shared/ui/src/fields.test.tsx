import { act, useState } from 'react'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { FileDrop } from './FileDrop.tsx'
import { FileField } from './FileField.tsx'
import { CheckboxField } from './SelectField.tsx'
import { PasswordField } from './TextField.tsx'
import { click, draw, eventually, named } from './test-render.tsx'

test('a person who removes a file by keys goes on at the button that chooses another', async () => {
  function Choice() {
    const [file, setFile] = useState<File | null>(new File(['x'], 'list.xlsx'))
    return <FileDrop file={file} onFile={setFile} />
  }
  const { box, end } = await draw(<Choice />)
  const remove = named('Remove the file', box) as HTMLButtonElement
  remove.focus()
  await click(remove)
  expect(document.activeElement).toBe(named('Choose a file', box))
  await end()
})

test('a box to tick that was refused names its error', async () => {
  function Agree() {
    const form = useForm({
      defaultValues: { agreed: false },
      errors: { agreed: { type: 'server', message: 'Tick this box.' } },
    })
    return <CheckboxField control={form.control} name="agreed" label="I agree" help="Once for all." />
  }
  const { box, end } = await draw(<Agree />)
  const described = box.querySelector('input')?.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toBe('Tick this box.')
  await end()
})

test('a person who listens hears what the button beside a password does, and not that it is pressed as well', async () => {
  function SignIn() {
    const { control } = useForm({ defaultValues: { password: '' } })
    return (
      <PasswordField control={control} name="password" label="Password" autoComplete="current-password" />
    )
  }
  const { box, end } = await draw(<SignIn />)
  await click(named('Show password', box))
  expect(box.querySelector('input')?.type).toBe('text')
  expect(named('Hide password', box)?.getAttribute('aria-pressed')).toBeNull()
  await end()
})

test('a person who sends a form without its file is led to the button that chooses one', async () => {
  function Upload() {
    const { control, handleSubmit } = useForm<{ list: File | null }>({
      defaultValues: { list: null },
      resolver: () => ({ values: {}, errors: { list: { type: 'schema', message: 'Choose a file.' } } }),
    })
    return (
      <form onSubmit={handleSubmit(() => {})}>
        <FileField control={control} name="list" label="List" />
      </form>
    )
  }
  const { box, end } = await draw(<Upload />)
  await act(async () => box.querySelector('form')?.requestSubmit())
  await eventually(() => expect(box.textContent).toContain('Choose a file.'))
  expect(document.activeElement).toBe(named('Choose a file', box))
  await end()
})
