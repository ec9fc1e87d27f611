// Before anything is drawn: the theme that was chosen on this device.
const chosen = localStorage.getItem('docs.theme')
if (chosen) document.documentElement.dataset.theme = chosen
