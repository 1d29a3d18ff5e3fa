/**
 * Where a request arrives: it is counted, written down, let in or not, and handed to what serves
 * its path and method. From here every other step is reached.
 */
@NullMarked
package dev.mooring.apiserver.http.route;

import org.jspecify.annotations.NullMarked;
