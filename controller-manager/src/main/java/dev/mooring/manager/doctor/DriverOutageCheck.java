package dev.mooring.manager.doctor;

import dev.mooring.cluster.EventReader;
import dev.mooring.manager.explain.DriverOutages;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Check of CSI drivers that are away while claims or attachments wait for them. */
record DriverOutageCheck(
    List<StorageClass> classes, List<Claim> claims, List<Attachment> attachments, Instant now) {
  List<CheckFinding> results(EventReader events) throws InterruptedException {
    List<CheckFinding> findings = new ArrayList<>();
    for (List<Resource> waiting : groupByDriver().values()) {
      Optional<String> outage = DriverOutages.find(waiting, events, now);
      outage.ifPresent(text ->
          findings.add(
              CheckFinding.fail(
                  "CSI drivers",
                  "%s; %s"
                      .formatted(
                          text,
                          waiting.size() == 1
                              ? "1 object waits for it"
                              : waiting.size() + " objects wait for it"),
                  "check the driver's pod and socket")));
    }
    return findings;
  }

  private Map<String, List<Resource>> groupByDriver() {
    Map<String, String> drivers = new HashMap<>();
    for (StorageClass storageClass : classes) {
      String migrated = CsiMigration.driverOf(storageClass.provisioner());
      drivers.put(
          storageClass.meta().name(), migrated.isEmpty() ? storageClass.provisioner() : migrated);
    }
    Map<String, List<Resource>> waiting = new TreeMap<>();
    for (Claim claim : claims) {
      String driver = drivers.get(claim.className());
      if (driver != null && DriverOutages.isWaiting(claim)) {
        waiting.computeIfAbsent(driver, d -> new ArrayList<>()).add(claim);
      }
    }
    for (Attachment attachment : attachments) {
      if (!attachment.attached() || attachment.meta().isBeingDeleted()) {
        waiting.computeIfAbsent(attachment.attacher(), d -> new ArrayList<>()).add(attachment);
      }
    }
    return waiting;
  }
}
