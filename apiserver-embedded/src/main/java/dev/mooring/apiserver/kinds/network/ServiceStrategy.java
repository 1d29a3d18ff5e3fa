package dev.mooring.apiserver.kinds.network;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfEmpty;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The strategy of services with IPv4. No proxy listens on a cluster IP. */
public final class ServiceStrategy extends DeclaredStrategy {
  private static final String HEADLESS = "None";
  private static final List<String> ALLOCATED_FIELDS =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");
  private static final int FIRST_NODE_PORT = 30_000;
  private static final int NODE_PORT_COUNT = 2768;

  public ServiceStrategy() {
    super("services", "Service");
  }

  @Override
  public void setDefaults(JsonObject object) {
    super.setDefaults(object);
    if (valueAt(object, "spec", "ports") instanceof JsonArray ports) {
      for (JsonElement portElement : ports) {
        JsonObject port = portElement.getAsJsonObject();
        if (valueAt(port, "targetPort") == null && valueAt(port, "port") != null) {
          port.add("targetPort", port.get("port"));
        }
      }
    }
  }

  @Override
  public void prepareCreate(JsonObject object) {
    super.prepareCreate(object);
    allocateAddresses(getOrAddChild(object, "spec"));
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    JsonObject spec = getOrAddChild(object, "spec");
    if (textAt(spec, "type").equals("ExternalName")) {
      ALLOCATED_FIELDS.forEach(spec::remove);
      return;
    }
    for (String field : ALLOCATED_FIELDS) {
      if (valueAt(old, "spec", field) instanceof JsonElement oldValue && isEmpty(spec, field)) {
        spec.add(field, oldValue.deepCopy());
      }
    }
    allocateAddresses(spec);
  }

  private static boolean isEmpty(JsonObject spec, String field) {
    JsonElement value = valueAt(spec, field);
    return value == null
        || value instanceof JsonArray list && list.isEmpty()
        || value.isJsonPrimitive() && value.getAsString().isEmpty();
  }

  private static void allocateAddresses(JsonObject spec) {
    if (textAt(spec, "type").equals("ExternalName")) {
      return;
    }
    if (textAt(spec, "clusterIP").isEmpty()) {
      int host = ThreadLocalRandom.current().nextInt(1 << 16);
      spec.addProperty("clusterIP", "10.96." + (host >> 8) + "." + (host & 0xff));
    }
    if (stringsAt(spec, "clusterIPs").isEmpty()) {
      spec.add("clusterIPs", newArray(textAt(spec, "clusterIP")));
    }
    if (stringsAt(spec, "ipFamilies").isEmpty()) {
      spec.add("ipFamilies", newArray("IPv4"));
    }
    setIfEmpty(spec, "ipFamilyPolicy", "SingleStack");
    if (List.of("NodePort", "LoadBalancer").contains(textAt(spec, "type"))
        && valueAt(spec, "ports") instanceof JsonArray ports) {
      for (JsonElement portElement : ports) {
        if (valueAt(portElement.getAsJsonObject(), "nodePort") == null) {
          int port = FIRST_NODE_PORT + ThreadLocalRandom.current().nextInt(NODE_PORT_COUNT);
          portElement.getAsJsonObject().addProperty("nodePort", port);
        }
      }
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    super.validate(object, errors);
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    boolean isExternalName = spec.text("type").equals("ExternalName");
    if (isExternalName) {
      spec.requireMembers("externalName");
    } else if (spec.isEmpty("ports") && !spec.text("clusterIP").equals(HEADLESS)) {
      spec.addRequired("ports", "");
    }
    List<ValidatedObject> ports = spec.getChildren("ports");
    Set<String> names = new HashSet<>();
    Set<String> numbers = new HashSet<>();
    for (ValidatedObject port : ports) {
      if (ports.size() > 1) {
        port.requireMembers("name");
      }
      port.checkLabel("name");
      if (!port.text("name").isEmpty() && !names.add(port.text("name"))) {
        errors.addDuplicate(port.path("name"), port.text("name"));
      }
      if (!numbers.add(port.text("protocol") + " " + port.text("port"))) {
        errors.addDuplicate(port.field(), FieldErrors.toShownValue(port.object()));
      }
      port.checkOneOf("protocol", "SCTP", "TCP", "UDP");
      if (port.number("port") < 1 || port.number("port") > 65535) {
        port.addInvalid("port", "must be between 1 and 65535, inclusive");
      }
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
    String oldAddress = textAt(old, "spec", "clusterIP");
    String newAddress = textAt(object, "spec", "clusterIP");
    if (!oldAddress.isEmpty() && !newAddress.isEmpty() && !oldAddress.equals(newAddress)) {
      errors.addImmutable(
          "spec.clusterIPs[0]", FieldErrors.toShownValue(valueAt(object, "spec", "clusterIPs")));
    }
  }
}
