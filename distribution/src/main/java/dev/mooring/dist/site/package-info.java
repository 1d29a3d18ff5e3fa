/** The documentation as static HTML pages. */
@NullMarked
package dev.mooring.dist.site;

import org.jspecify.annotations.NullMarked;
