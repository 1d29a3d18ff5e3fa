/** What is shown, as records: each can be told as HTML and as JSON. */
@NullMarked
package dev.mooring.console.page;

import org.jspecify.annotations.NullMarked;
