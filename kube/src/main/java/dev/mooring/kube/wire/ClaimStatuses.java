package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Quantity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The status of PersistentVolumeClaims. */
final class ClaimStatuses {
  private static final Fields STATUS =
      Fields.of(1, "phase")
          .and(2, "accessModes")
          .and(3, "capacity")
          .and(4, "conditions")
          .and(5, "allocatedResources")
          .and(7, "allocatedResourceStatuses")
          .and(8, "currentVolumeAttributesClassName")
          .and(9, "modifyVolumeStatus");
  private static final Fields MODIFY =
      Fields.of(1, "targetVolumeAttributesClassName").and(2, "status");
  private static final Fields CONDITION =
      Fields.of(1, "type")
          .and(2, "status")
          .and(3, "lastProbeTime")
          .and(4, "lastTransitionTime")
          .and(5, "reason")
          .and(6, "message");
  private static final String STORAGE = "storage";

  private ClaimStatuses() {}

  static Claim.Status read(Wire in) throws IOException {
    ClaimPhase phase = ClaimPhase.UNSET;
    List<String> modes = new ArrayList<>();
    Map<String, Quantity> capacity = new HashMap<>();
    Map<String, Quantity> allocated = new HashMap<>();
    Map<String, String> resizing = new HashMap<>();
    List<Claim.Condition> conditions = new ArrayList<>();
    String attributesClass = "";
    Claim.Modification modification = Claim.Modification.NONE;
    for (int field = in.open(STATUS); field != 0; field = in.next(STATUS)) {
      switch (field) {
        case 1 -> phase = ClaimPhase.of(in.shared());
        case 2 -> modes.add(in.shared());
        case 3 -> in.quantities(capacity);
        case 4 -> conditions.add(condition(in));
        case 5 -> in.quantities(allocated);
        case 7 -> in.strings(resizing);
        case 8 -> attributesClass = in.shared();
        case 9 -> modification = modification(in);
        default -> in.skip();
      }
    }
    return new Claim.Status(
        phase,
        Wire.frozen(modes),
        Wire.frozen(capacity),
        attributesClass,
        modification,
        resize(allocated, resizing),
        Wire.frozen(conditions));
  }

  private static Claim.Resize resize(Map<String, Quantity> allocated, Map<String, String> states) {
    return allocated.isEmpty() && states.isEmpty()
        ? Claim.Resize.NONE
        : new Claim.Resize(
            allocated.get(STORAGE), Claim.ResizeState.of(states.getOrDefault(STORAGE, "")));
  }

  private static Claim.Modification modification(Wire in) throws IOException {
    String target = "";
    String state = "";
    for (int field = in.open(MODIFY); field != 0; field = in.next(MODIFY)) {
      switch (field) {
        case 1 -> target = in.shared();
        case 2 -> state = in.shared();
        default -> in.skip();
      }
    }
    return new Claim.Modification(target, state);
  }

  private static Claim.Condition condition(Wire in) throws IOException {
    String type = "";
    String status = "";
    String reason = "";
    String message = "";
    long probed = 0;
    long changed = 0;
    for (int field = in.open(CONDITION); field != 0; field = in.next(CONDITION)) {
      switch (field) {
        case 1 -> type = in.shared();
        case 2 -> status = in.shared();
        case 3 -> probed = in.seconds();
        case 4 -> changed = in.seconds();
        case 5 -> reason = in.shared();
        case 6 -> message = in.text();
        default -> in.skip();
      }
    }
    return new Claim.Condition(type, status, reason, message, probed, changed);
  }
}
