package dev.mooring.apiserver.kinds.network;

import static dev.mooring.apiserver.codec.JsonBodies.arrayOf;
import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;
import static dev.mooring.apiserver.kinds.model.TableColumns.AGE;
import static dev.mooring.apiserver.kinds.model.TableColumns.NAME;
import static dev.mooring.apiserver.kinds.model.TableColumns.makeComputedColumn;
import static dev.mooring.apiserver.kinds.model.TableColumns.makeTextColumn;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfEmpty;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/** The strategy of services with IPv4. No proxy listens on a cluster IP. */
public final class ServiceStrategy implements KindStrategy {
  private static final String HEADLESS = "None";
  private static final List<String> TYPES =
      List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
  private static final List<String> ALLOCATED_FIELDS =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");
  private static final int FIRST_NODE_PORT = 30_000;
  private static final int NODE_PORT_COUNT = 2768;
  private static final int DEFAULT_AFFINITY_SECONDS = 10_800;

  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = child(object, "spec");
    setIfEmpty(spec, "type", "ClusterIP");
    setIfEmpty(spec, "sessionAffinity", "None");
    if (text(spec, "sessionAffinity").equals("ClientIP")
        && at(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds") == null) {
      child(spec, "sessionAffinityConfig", "clientIP")
          .addProperty("timeoutSeconds", DEFAULT_AFFINITY_SECONDS);
    }
    if (at(spec, "ports") instanceof JsonArray ports) {
      for (JsonElement portElement : ports) {
        JsonObject port = portElement.getAsJsonObject();
        setIfEmpty(port, "protocol", "TCP");
        if (at(port, "targetPort") == null && at(port, "port") != null) {
          port.add("targetPort", port.get("port"));
        }
      }
    }
    String type = text(spec, "type");
    if (type.equals("NodePort") || type.equals("LoadBalancer")) {
      setIfEmpty(spec, "externalTrafficPolicy", "Cluster");
    }
    if (type.equals("LoadBalancer") && at(spec, "allocateLoadBalancerNodePorts") == null) {
      spec.addProperty("allocateLoadBalancerNodePorts", true);
    }
    if (!type.equals("ExternalName")) {
      setIfEmpty(spec, "internalTrafficPolicy", "Cluster");
    }
    child(object, "status", "loadBalancer");
  }

  @Override
  public void prepareCreate(JsonObject object) {
    object.remove("status");
    allocateAddresses(child(object, "spec"));
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    JsonObject spec = child(object, "spec");
    if (text(spec, "type").equals("ExternalName")) {
      ALLOCATED_FIELDS.forEach(spec::remove);
      return;
    }
    for (String field : ALLOCATED_FIELDS) {
      if (at(old, "spec", field) instanceof JsonElement oldValue && isEmpty(spec, field)) {
        spec.add(field, oldValue.deepCopy());
      }
    }
    allocateAddresses(spec);
  }

  private static boolean isEmpty(JsonObject spec, String field) {
    JsonElement value = at(spec, field);
    return value == null
        || value instanceof JsonArray list && list.isEmpty()
        || value.isJsonPrimitive() && value.getAsString().isEmpty();
  }

  private static void allocateAddresses(JsonObject spec) {
    if (text(spec, "type").equals("ExternalName")) {
      return;
    }
    if (text(spec, "clusterIP").isEmpty()) {
      int host = ThreadLocalRandom.current().nextInt(1 << 16);
      spec.addProperty("clusterIP", "10.96." + (host >> 8) + "." + (host & 0xff));
    }
    if (strings(spec, "clusterIPs").isEmpty()) {
      spec.add("clusterIPs", arrayOf(text(spec, "clusterIP")));
    }
    if (strings(spec, "ipFamilies").isEmpty()) {
      spec.add("ipFamilies", arrayOf("IPv4"));
    }
    setIfEmpty(spec, "ipFamilyPolicy", "SingleStack");
    if (List.of("NodePort", "LoadBalancer").contains(text(spec, "type"))
        && at(spec, "ports") instanceof JsonArray ports) {
      for (JsonElement portElement : ports) {
        if (at(portElement.getAsJsonObject(), "nodePort") == null) {
          int port = FIRST_NODE_PORT + ThreadLocalRandom.current().nextInt(NODE_PORT_COUNT);
          portElement.getAsJsonObject().addProperty("nodePort", port);
        }
      }
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    spec.checkOneOf("type", TYPES.toArray(String[]::new));
    spec.checkOneOf("sessionAffinity", "ClientIP", "None");
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
    String oldAddress = text(old, "spec", "clusterIP");
    String newAddress = text(object, "spec", "clusterIP");
    if (!oldAddress.isEmpty() && !newAddress.isEmpty() && !oldAddress.equals(newAddress)) {
      errors.addImmutable(
          "spec.clusterIPs[0]", FieldErrors.toShownValue(at(object, "spec", "clusterIPs")));
    }
  }

  @Override
  public List<PrintedColumn> getColumns() {
    return List.of(
        NAME,
        makeTextColumn("Type", "spec", "type"),
        makeComputedColumn("Cluster-IP", o -> getFirstOrNone(strings(o, "spec", "clusterIPs"))),
        makeComputedColumn("External-IP", ServiceStrategy::formatExternalIps),
        makeComputedColumn("Port(s)", ServiceStrategy::formatPorts),
        AGE,
        makeComputedColumn("Selector", ServiceStrategy::formatSelector).wide());
  }

  private static String formatPorts(JsonObject service) {
    List<String> ports = new ArrayList<>();
    for (ValidatedObject port : ValidatedObject.forReading(service, "spec").getChildren("ports")) {
      String nodePort = port.has("nodePort") ? ":" + port.text("nodePort") : "";
      ports.add(port.text("port") + nodePort + "/" + port.text("protocol"));
    }
    return ports.isEmpty() ? "<none>" : String.join(",", ports);
  }

  private static String getFirstOrNone(List<String> values) {
    return values.isEmpty() ? "<none>" : values.getFirst();
  }

  private static String formatExternalIps(JsonObject o) {
    List<String> externalIps = strings(o, "spec", "externalIPs");
    return switch (text(o, "spec", "type")) {
      case "ExternalName" -> text(o, "spec", "externalName");
      case "LoadBalancer" -> externalIps.isEmpty() ? "<pending>" : String.join(",", externalIps);
      default -> externalIps.isEmpty() ? "<none>" : String.join(",", externalIps);
    };
  }

  private static String formatSelector(JsonObject o) {
    if (!(at(o, "spec", "selector") instanceof JsonObject selector) || selector.isEmpty()) {
      return "<none>";
    }
    Map<String, JsonElement> sorted = new TreeMap<>(selector.asMap());
    return String.join(
        ",",
        sorted.entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue().getAsString())
            .toList());
  }
}
