import { mount } from 'svelte';
import App from './App.svelte';
import { start, watchOthers } from './state/me.svelte';
import { preferredLanguage, useLanguage } from './state/language.svelte';
import { restoreTheme } from './state/theme.svelte';
import './style/tokens.css';
import './style/base.css';

restoreTheme();
watchOthers();
const [target] = [document.getElementById('app')];
await Promise.all([useLanguage(preferredLanguage()), start()]);
if (target) mount(App, { target });
