import type { OrganizationRecord } from '../organizations/organization-record.js'
import { type Html, html } from './html.js'

/** Which of several organizations: the first one unless another is picked. Sent as `organization`. */
export const organizationPicker = (organizations: OrganizationRecord[]): Html => html`<fieldset>
<legend>In which organization?</legend>
${organizations.map(
  ({ id, name }, index) => html`<label class="choice">
<input type="radio" name="organization" value="${id}"${index === 0 && html` checked`}>
<span>${name} <span class="soft small">${id}</span></span></label>`,
)}
</fieldset>`
