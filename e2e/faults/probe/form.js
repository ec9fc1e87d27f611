globalThis.probes[PROBE.global].chunks.form = (given) => {
  const { createElement: h, useState } = given.react
  const { Link } = given[PROBE.contract < '1.2' ? '@portal/sdk' : 'react-router-dom']
  const { i18n, useDirty, useHost } = given['@portal/sdk']
  return function ProbeFormPage() {
    const [text, setText] = useState('')
    const { notify } = useHost()
    useDirty(text !== '')
    const save = (event) => {
      event.preventDefault()
      setText('')
      notify.good(i18n._(`${PROBE.name}.saved`))
    }
    return h(
      'form',
      { className: PROBE.name, onSubmit: save },
      h('h1', null, i18n._(`${PROBE.name}.form`)),
      h('p', null, `${PROBE.name} ${PROBE.version} ${PROBE.mark}`),
      h(
        'label',
        null,
        i18n._(`${PROBE.name}.note`),
        h('input', { value: text, onChange: (event) => setText(event.target.value) }),
      ),
      h('button', { type: 'submit' }, i18n._(`${PROBE.name}.save`)),
      h(Link, { to: PROBE.route }, i18n._(`${PROBE.name}.title`)),
    )
  }
}
