/** The head of a table's column of buttons: nothing to see, and a name to hear. */
export const ActionsHead = () => (
  <th scope="col">
    <span class="visually-hidden">Actions</span>
  </th>
)
