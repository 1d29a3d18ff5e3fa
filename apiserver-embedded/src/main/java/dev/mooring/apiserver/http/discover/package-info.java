/** What asks which resources the server has, and in which forms, is answered here. */
@NullMarked
package dev.mooring.apiserver.http.discover;

import org.jspecify.annotations.NullMarked;
