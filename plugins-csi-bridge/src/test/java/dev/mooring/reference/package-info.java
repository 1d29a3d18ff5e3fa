/** CSI driver over real files, with faults on demand. For tests. */
package dev.mooring.reference;
