/*
 * class.js - a page that is given to a class: follows the presentation. What it is used for begins in page.js.
 */
