// A page with what a frame has to carry: the session, the language, files, and the keyboard.
globalThis.probes[PROBE.global].chunks.list = (given) => {
  const { createElement: h, useState } = given.react
  const { i18n, useHost, useLingui } = given['@portal/sdk']
  return function FramesPage() {
    useLingui()
    const { client, can, notify, session } = useHost()
    const [sent, setSent] = useState([])
    const upload = () => {
      const body = { attendance_file: new File(['x'.repeat(2_000_000)], 'wells.txt') }
      const onUploadProgress = (share) => setSent((before) => [...before, share])
      client
        .call(
          { method: 'POST', path: '/home/attendance/import', multipart: true },
          { body, onUploadProgress },
        )
        .catch(({ status }) => notify.bad(`Problem ${status}`))
    }
    const button = (label, onClick) => h('button', { type: 'button', className: 'button', onClick }, label)
    return h(
      'div',
      { className: `${PROBE.name} stack` },
      h('h1', null, i18n._(`${PROBE.name}.title`)),
      h('label', null, 'First', h('input', {})),
      button('Send a file', upload),
      h('p', null, `May see users: ${can('users.view') ? 'yes' : 'no'}`),
      h('p', null, `Language ${session.locale}`),
      h('p', null, `Sent ${sent.length}, the last ${sent.at(-1) ?? 0}`),
    )
  }
}
