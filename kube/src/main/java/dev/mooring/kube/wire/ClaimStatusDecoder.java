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
    static final int HEALTH_STATUS = 10;
    static final Fields ALL =
        Fields.of(PHASE, "phase")
            .and(ACCESS_MODES, "accessModes")
            .and(CAPACITY, "capacity")
            .and(CONDITIONS, "conditions")
            .and(ALLOCATED_RESOURCES, "allocatedResources")
            .and(ALLOCATED_RESOURCE_STATUSES, "allocatedResourceStatuses")
            .and(CURRENT_VOLUME_ATTRIBUTES_CLASS_NAME, "currentVolumeAttributesClassName")
            .and(MODIFY_VOLUME_STATUS, "modifyVolumeStatus")
            .and(HEALTH_STATUS, "healthStatus");
  }

  private static final class ModifyStatus {
    static final int TARGET_VOLUME_ATTRIBUTES_CLASS_NAME = 1;
    static final int STATUS = 2;
    static final Fields ALL =
        Fields.of(TARGET_VOLUME_ATTRIBUTES_CLASS_NAME, "targetVolumeAttributesClassName")
            .and(STATUS, "status");
  }

  private static final class HealthStatus {
    static final int HEALTH_CONDITIONS = 1;
    static final Fields ALL = Fields.of(HEALTH_CONDITIONS, "healthConditions");
  }

  private static final class HealthCondition {
    static final int STATUS = 1;
    static final int REASON = 2;
    static final int MESSAGE = 3;
    static final Fields ALL =
        Fields.of(STATUS, "status").and(REASON, "reason").and(MESSAGE, "message");
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

  static Claim.Status decode(WireReader in) throws IOException {
    ClaimPhase phase = ClaimPhase.UNSET;
    List<String> modes = new ArrayList<>();
    Map<String, Quantity> capacity = new HashMap<>();
    Map<String, Quantity> allocatedAmounts = new HashMap<>();
    Map<String, String> resizeStates = new HashMap<>();
    List<Claim.Condition> conditions = new ArrayList<>();
    String attributesClass = "";
    Claim.Modification modification = Claim.Modification.NONE;
    List<Claim.HealthCondition> healthConditions = new ArrayList<>();
    for (int field = in.open(ClaimStatus.ALL); field != 0; field = in.next(ClaimStatus.ALL)) {
      switch (field) {
        case ClaimStatus.PHASE -> phase = ClaimPhase.of(in.readSharedText());
        case ClaimStatus.ACCESS_MODES -> modes.add(in.readSharedText());
        case ClaimStatus.CAPACITY -> in.readQuantities(capacity);
        case ClaimStatus.CONDITIONS -> conditions.add(readCondition(in));
        case ClaimStatus.ALLOCATED_RESOURCES -> in.readQuantities(allocatedAmounts);
        case ClaimStatus.ALLOCATED_RESOURCE_STATUSES -> in.readStrings(resizeStates);
        case ClaimStatus.CURRENT_VOLUME_ATTRIBUTES_CLASS_NAME ->
            attributesClass = in.readSharedText();
        case ClaimStatus.MODIFY_VOLUME_STATUS -> modification = readModification(in);
        case ClaimStatus.HEALTH_STATUS -> readHealth(in, healthConditions);
        default -> in.skip();
      }
    }
    return new Claim.Status(
        phase,
        WireReader.freeze(modes),
        WireReader.freeze(capacity),
        attributesClass,
        modification,
        makeResize(allocatedAmounts, resizeStates),
        WireReader.freeze(conditions),
        WireReader.freeze(healthConditions));
  }

  private static Claim.Resize makeResize(
      Map<String, Quantity> allocated, Map<String, String> states) {
    return allocated.isEmpty() && states.isEmpty()
        ? Claim.Resize.NONE
        : new Claim.Resize(
            allocated.get(STORAGE), Claim.ResizeState.of(states.getOrDefault(STORAGE, "")));
  }

  private static Claim.Modification readModification(WireReader in) throws IOException {
    String target = "";
    String state = "";
    for (int field = in.open(ModifyStatus.ALL); field != 0; field = in.next(ModifyStatus.ALL)) {
      switch (field) {
        case ModifyStatus.TARGET_VOLUME_ATTRIBUTES_CLASS_NAME -> target = in.readSharedText();
        case ModifyStatus.STATUS -> state = in.readSharedText();
        default -> in.skip();
      }
    }
    return new Claim.Modification(target, state);
  }

  private static void readHealth(WireReader in, List<Claim.HealthCondition> conditions)
      throws IOException {
    for (int field = in.open(HealthStatus.ALL); field != 0; field = in.next(HealthStatus.ALL)) {
      switch (field) {
        case HealthStatus.HEALTH_CONDITIONS -> conditions.add(readHealthCondition(in));
        default -> in.skip();
      }
    }
  }

  private static Claim.HealthCondition readHealthCondition(WireReader in) throws IOException {
    String status = "";
    String reason = "";
    String message = "";
    for (int field = in.open(HealthCondition.ALL);
        field != 0;
        field = in.next(HealthCondition.ALL)) {
      switch (field) {
        case HealthCondition.STATUS -> status = in.readSharedText();
        case HealthCondition.REASON -> reason = in.readSharedText();
        case HealthCondition.MESSAGE -> message = in.readText();
        default -> in.skip();
      }
    }
    return new Claim.HealthCondition(status, reason, message);
  }

  private static Claim.Condition readCondition(WireReader in) throws IOException {
    String type = "";
    String status = "";
    String reason = "";
    String message = "";
    long probeTime = 0;
    long transitionTime = 0;
    for (int field = in.open(ClaimCondition.ALL); field != 0; field = in.next(ClaimCondition.ALL)) {
      switch (field) {
        case ClaimCondition.TYPE -> type = in.readSharedText();
        case ClaimCondition.STATUS -> status = in.readSharedText();
        case ClaimCondition.LAST_PROBE_TIME -> probeTime = in.readSeconds();
        case ClaimCondition.LAST_TRANSITION_TIME -> transitionTime = in.readSeconds();
        case ClaimCondition.REASON -> reason = in.readSharedText();
        case ClaimCondition.MESSAGE -> message = in.readText();
        default -> in.skip();
      }
    }
    return new Claim.Condition(type, status, reason, message, probeTime, transitionTime);
  }
}
