package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Quantity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class ClaimStatusDecoder {
  private static final class ClaimStatus {
    static final int PHASE = 1;
    static final int ACCESS_MODES = 2;
    static final int CAPACITY = 3;
    static final int CONDITIONS = 4;
    static final int ALLOCATED_RESOURCES = 5;
    static final int ALLOCATED_RESOURCE_STATUSES = 7;
    static final int CURRENT_VOLUME_ATTRIBUTES_CLASS_NAME = 8;
    static final int MODIFY_VOLUME_STATUS = 9;
    static final Fields ALL =
        Fields.of(PHASE, "phase")
            .and(ACCESS_MODES, "accessModes")
            .and(CAPACITY, "capacity")
            .and(CONDITIONS, "conditions")
            .and(ALLOCATED_RESOURCES, "allocatedResources")
            .and(ALLOCATED_RESOURCE_STATUSES, "allocatedResourceStatuses")
            .and(CURRENT_VOLUME_ATTRIBUTES_CLASS_NAME, "currentVolumeAttributesClassName")
            .and(MODIFY_VOLUME_STATUS, "modifyVolumeStatus");
  }

  private static final class ModifyStatus {
    static final int TARGET_VOLUME_ATTRIBUTES_CLASS_NAME = 1;
    static final int STATUS = 2;
    static final Fields ALL =
        Fields.of(TARGET_VOLUME_ATTRIBUTES_CLASS_NAME, "targetVolumeAttributesClassName")
            .and(STATUS, "status");
  }

  private static final class ClaimCondition {
    static final int TYPE = 1;
    static final int STATUS = 2;
    static final int LAST_PROBE_TIME = 3;
    static final int LAST_TRANSITION_TIME = 4;
    static final int REASON = 5;
    static final int MESSAGE = 6;
    static final Fields ALL =
        Fields.of(TYPE, "type")
            .and(STATUS, "status")
            .and(LAST_PROBE_TIME, "lastProbeTime")
            .and(LAST_TRANSITION_TIME, "lastTransitionTime")
            .and(REASON, "reason")
            .and(MESSAGE, "message");
  }

  private static final String STORAGE = "storage";

  private ClaimStatusDecoder() {}

  static Claim.Status read(WireReader in) throws IOException {
    ClaimPhase phase = ClaimPhase.UNSET;
    List<String> modes = new ArrayList<>();
    Map<String, Quantity> capacity = new HashMap<>();
    Map<String, Quantity> allocated = new HashMap<>();
    Map<String, String> resizing = new HashMap<>();
    List<Claim.Condition> conditions = new ArrayList<>();
    String attributesClass = "";
    Claim.Modification modification = Claim.Modification.NONE;
    for (int field = in.open(ClaimStatus.ALL); field != 0; field = in.next(ClaimStatus.ALL)) {
      switch (field) {
        case ClaimStatus.PHASE -> phase = ClaimPhase.of(in.shared());
        case ClaimStatus.ACCESS_MODES -> modes.add(in.shared());
        case ClaimStatus.CAPACITY -> in.quantities(capacity);
        case ClaimStatus.CONDITIONS -> conditions.add(condition(in));
        case ClaimStatus.ALLOCATED_RESOURCES -> in.quantities(allocated);
        case ClaimStatus.ALLOCATED_RESOURCE_STATUSES -> in.strings(resizing);
        case ClaimStatus.CURRENT_VOLUME_ATTRIBUTES_CLASS_NAME -> attributesClass = in.shared();
        case ClaimStatus.MODIFY_VOLUME_STATUS -> modification = modification(in);
        default -> in.skip();
      }
    }
    return new Claim.Status(
        phase,
        WireReader.frozen(modes),
        WireReader.frozen(capacity),
        attributesClass,
        modification,
        resize(allocated, resizing),
        WireReader.frozen(conditions));
  }

  private static Claim.Resize resize(Map<String, Quantity> allocated, Map<String, String> states) {
    return allocated.isEmpty() && states.isEmpty()
        ? Claim.Resize.NONE
        : new Claim.Resize(
            allocated.get(STORAGE), Claim.ResizeState.of(states.getOrDefault(STORAGE, "")));
  }

  private static Claim.Modification modification(WireReader in) throws IOException {
    String target = "";
    String state = "";
    for (int field = in.open(ModifyStatus.ALL); field != 0; field = in.next(ModifyStatus.ALL)) {
      switch (field) {
        case ModifyStatus.TARGET_VOLUME_ATTRIBUTES_CLASS_NAME -> target = in.shared();
        case ModifyStatus.STATUS -> state = in.shared();
        default -> in.skip();
      }
    }
    return new Claim.Modification(target, state);
  }

  private static Claim.Condition condition(WireReader in) throws IOException {
    String type = "";
    String status = "";
    String reason = "";
    String message = "";
    long probed = 0;
    long changed = 0;
    for (int field = in.open(ClaimCondition.ALL); field != 0; field = in.next(ClaimCondition.ALL)) {
      switch (field) {
        case ClaimCondition.TYPE -> type = in.shared();
        case ClaimCondition.STATUS -> status = in.shared();
        case ClaimCondition.LAST_PROBE_TIME -> probed = in.seconds();
        case ClaimCondition.LAST_TRANSITION_TIME -> changed = in.seconds();
        case ClaimCondition.REASON -> reason = in.shared();
        case ClaimCondition.MESSAGE -> message = in.text();
        default -> in.skip();
      }
    }
    return new Claim.Condition(type, status, reason, message, probed, changed);
  }
}
