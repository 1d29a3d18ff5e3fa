/** CustomResourceDefinitions and the custom resources that they define. */
@NullMarked
package dev.mooring.apiserver.kinds.custom;

import org.jspecify.annotations.NullMarked;
