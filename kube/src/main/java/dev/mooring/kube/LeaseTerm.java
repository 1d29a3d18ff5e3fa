package dev.mooring.kube;

import dev.mooring.cluster.Document;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * Term of a holder as stated in a Lease.
 *
 * @param holder spec.holderIdentity; "" without a holder
 * @param seconds spec.leaseDurationSeconds
 * @param renewed spec.renewTime, to the microsecond
 */
record LeaseTerm(String holder, long seconds, Instant renewed) {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /**
   * Creates a term that starts now. A Lease contains whole seconds. Fractions are rounded up, so
   * that no other replica waits for less than the holder's own term.
   */
  static LeaseTerm of(String holder, Duration duration, Instant now) {
    long seconds = duration.toSeconds() + (duration.getNano() > 0 ? 1 : 0);
    return new LeaseTerm(holder, seconds, now.truncatedTo(ChronoUnit.MICROS));
  }

  private String formatRenewed() {
    return MICROS.format(renewed);
  }

  Document makeCreation(ObjectKey lease, Map<String, String> labels) {
    Document creation = Document.empty().set(lease.namespace(), "metadata", "namespace");
    return addLabels(addAcquisition(creation, 0), labels);
  }

  Document makePatch(Lease lastLease, Map<String, String> labels) {
    Document patch = Document.patchOf(lastLease.meta());
    return lastLease.holder().equals(holder)
        ? addTerm(patch)
        : addLabels(addAcquisition(patch, lastLease.transitions() + 1), labels);
  }

  private static Document addLabels(Document document, Map<String, String> labels) {
    labels.forEach((name, value) -> document.set(value, "metadata", "labels", name));
    return document;
  }

  Document makeRelease(Lease lastLease) {
    return addTerm(Document.patchOf(lastLease.meta())).set(formatRenewed(), "spec", "acquireTime");
  }

  private Document addAcquisition(Document document, int transitions) {
    return addTerm(document)
        .set(formatRenewed(), "spec", "acquireTime")
        .set(transitions, "spec", "leaseTransitions");
  }

  private Document addTerm(Document document) {
    return document
        .set(holder, "spec", "holderIdentity")
        .set(seconds, "spec", "leaseDurationSeconds")
        .set(formatRenewed(), "spec", "renewTime");
  }

  boolean isStatedBy(Lease lease) {
    return lease.holder().equals(holder)
        && lease.durationSeconds() == seconds
        && lease.renewedMicros() == ChronoUnit.MICROS.between(Instant.EPOCH, renewed);
  }

  /**
   * Returns whether both state the same term. A write to the metadata of a dead holder's Lease
   * renews nothing.
   */
  static boolean isSame(Lease a, Lease b) {
    return a.holder().equals(b.holder())
        && a.durationSeconds() == b.durationSeconds()
        && a.renewedMicros() == b.renewedMicros()
        && a.acquiredMicros() == b.acquiredMicros()
        && a.transitions() == b.transitions();
  }
}
