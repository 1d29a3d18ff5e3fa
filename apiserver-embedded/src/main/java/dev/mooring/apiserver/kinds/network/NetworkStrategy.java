package dev.mooring.apiserver.kinds.network;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;
import static dev.mooring.apiserver.kinds.model.TableColumns.AGE;
import static dev.mooring.apiserver.kinds.model.TableColumns.NAME;
import static dev.mooring.apiserver.kinds.model.TableColumns.column;
import static dev.mooring.apiserver.kinds.model.TableColumns.computed;
import static dev.mooring.apiserver.kinds.model.TableColumns.orElse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
import dev.mooring.apiserver.kinds.rules.IpAddresses;
import dev.mooring.apiserver.kinds.rules.MemberDefaults;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

public final class NetworkStrategy {
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final String LOOPBACK = "may not be in the loopback range (127.0.0.0/8, ::1/128)";

  private NetworkStrategy() {}

  private static void rejectSpecialAddress(String ip, String field, FieldErrors errors) {
    if (ip.startsWith("127.") || ip.equals("::1")) {
      errors.addInvalid(field, ip, LOOPBACK);
    } else if (ip.equals("0.0.0.0") || ip.equals("::")) {
      errors.addInvalid(field, ip, "may not be unspecified (0.0.0.0 or ::)");
    } else if (ip.startsWith("169.254.") || ip.startsWith("fe80:")) {
      errors.addInvalid(
          field, ip, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
  }

  private static void validatePort(ValidatedObject port) {
    port.checkLabel("name");
    port.checkOneOf("protocol", "SCTP", "TCP", "UDP");
    if (port.has("appProtocol")) {
      port.requireQualifiedName("appProtocol");
    }
  }

  private static String abbreviate(List<String> all, String none) {
    return all.isEmpty()
        ? none
        : String.join(",", all.subList(0, Math.min(3, all.size())))
            + (all.size() > 3 ? " + " + (all.size() - 3) + " more..." : "");
  }

  private static void validateNodeName(ValidatedObject holder) {
    if (holder.has("nodeName")) {
      holder.requireSubdomain("nodeName");
    }
  }

  private static void defaultProtocols(JsonElement list, boolean named) {
    if (list instanceof JsonArray ports) {
      for (JsonElement one : ports) {
        JsonObject port = one.getAsJsonObject();
        if (at(port, "protocol") == null || !named && text(port, "protocol").isEmpty()) {
          port.addProperty("protocol", "TCP");
        }
        if (named && !port.has("name")) {
          port.addProperty("name", "");
        }
      }
    }
  }

  public static final class EndpointsStrategy implements KindStrategy {
    @Override
    public void setDefaults(JsonObject object) {
      if (at(object, "subsets") instanceof JsonArray subsets) {
        subsets.forEach(s -> {
          JsonElement ports = at(s.getAsJsonObject(), "ports");
          if (ports != null) {
            defaultProtocols(ports, false);
          }
        });
      }
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      new ValidatedObject(object, "", errors).each("subsets", EndpointsStrategy::validateSubset);
    }

    private static void validateSubset(ValidatedObject subset) {
      if (!subset.has("addresses") && !subset.has("notReadyAddresses")) {
        subset.addSelfRequired("must specify `addresses` or `notReadyAddresses`");
      }
      for (String list : List.of("addresses", "notReadyAddresses")) {
        for (ValidatedObject address : subset.children(list)) {
          validateAddress(address.text("ip"), address.path("ip"), address.errors());
          address.checkLabel("hostname");
          validateNodeName(address);
        }
      }
      List<ValidatedObject> ports = subset.children("ports");
      for (ValidatedObject port : ports) {
        if (ports.size() > 1) {
          port.requireMembers("name");
        }
        long number = port.number("port");
        if (number < 1 || number > 65535) {
          port.addInvalid("port", number, "must be between 1 and 65535, inclusive");
        }
        validatePort(port);
      }
    }

    private static void validateAddress(String ip, String field, FieldErrors errors) {
      if (!V4.matcher(ip).matches() && !V6.matcher(ip).matches()) {
        errors.addInvalid(
            field, ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        errors.addInvalid(field, ip, "must be a valid IP address");
      } else {
        rejectSpecialAddress(ip, field, errors);
      }
    }

    @Override
    public List<PrintedColumn> getColumns() {
      return List.of(NAME, computed("Endpoints", o -> abbreviate(listEndpoints(o), "<none>")), AGE);
    }

    private static List<String> listEndpoints(JsonObject endpoints) {
      List<String> all = new ArrayList<>();
      for (ValidatedObject subset : ValidatedObject.reading(endpoints).children("subsets")) {
        for (ValidatedObject port : subset.children("ports")) {
          subset.each("addresses", a -> all.add(a.text("ip") + ":" + port.text("port")));
        }
      }
      return all;
    }
  }

  public static final class EndpointSliceStrategy implements KindStrategy {
    @Override
    public MetadataChecks getMetadataChecks() {
      return MetadataChecks.WHOLE;
    }

    @Override
    public void setDefaults(JsonObject object) {
      JsonElement ports = at(object, "ports");
      if (ports != null) {
        defaultProtocols(ports, true);
      }
    }

    @Override
    public void prepareCreate(JsonObject object) {
      child(object, "metadata").addProperty("generation", 1);
    }

    @Override
    public void prepareUpdate(JsonObject object, JsonObject old) {
      boolean changed =
          List.of("endpoints", "ports", "addressType").stream()
                  .anyMatch(f -> !Objects.equals(at(object, f), at(old, f)))
              || !Objects.equals(at(object, "metadata", "labels"), at(old, "metadata", "labels"));
      if (changed) {
        MemberDefaults.incrementGeneration(object, old);
      }
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      validate(object, text(object, "addressType"), errors);
    }

    // Validates a slice whose addresses have the given type, regardless of its addressType.
    private static void validate(JsonObject object, String ofAddresses, FieldErrors errors) {
      String type = text(object, "addressType");
      List<String> types = List.of("IPv4", "IPv6", "FQDN");
      if (type.isEmpty()) {
        errors.addRequired("addressType", "");
      } else if (!types.contains(type)) {
        errors.addNotSupported("addressType", type, types);
      }
      ValidatedObject slice = new ValidatedObject(object, "", errors);
      for (ValidatedObject endpoint : slice.children("endpoints")) {
        validateAddresses(
            endpoint.strings("addresses"), ofAddresses, endpoint.path("addresses"), errors);
        if (endpoint.has("hostname")) {
          endpoint.requireLabel("hostname");
        }
        validateNodeName(endpoint);
        validateZones(endpoint.child("hints"));
      }
      Set<String> names = new HashSet<>();
      for (ValidatedObject port : slice.children("ports")) {
        port.requireNew(names, "name");
        validatePort(port);
      }
    }

    private static void validateZones(ValidatedObject hints) {
      Set<String> names = new HashSet<>();
      for (ValidatedObject zone : hints.children("forZones")) {
        zone.requireNew(names, "name");
        ObjectNames.validateLabelValue(zone.text("name"), zone.path("name"), zone.errors());
      }
    }

    private static void validateAddresses(
        List<String> addresses, String type, String field, FieldErrors errors) {
      if (addresses.isEmpty()) {
        errors.addRequired(field, "must contain at least 1 address");
      }
      for (int i = 0; i < addresses.size(); i++) {
        String address = addresses.get(i);
        if (!type.equals("FQDN") && !IpAddresses.isIpv4(address) && !IpAddresses.isIpv6(address)) {
          IpAddresses.validateIp(address, field + "[" + i + "]", errors);
        } else if (type.equals("IPv4") && !V4.matcher(address).matches()) {
          errors.addInvalid(field, address, "must be an IPv4 address");
        } else if (type.equals("IPv6") && !V6.matcher(address).matches()) {
          errors.addInvalid(field, address, "must be an IPv6 address");
        }
        if (!type.equals("FQDN")) {
          rejectSpecialAddress(address, field + "[" + i + "]", errors);
        }
      }
    }

    @Override
    public List<PrintedColumn> getColumns() {
      return List.of(
          NAME,
          column("AddressType", "addressType"),
          computed("Ports", o -> abbreviate(listPorts(o), "<unset>")),
          computed("Endpoints", o -> abbreviate(listAddresses(o), "<unset>")),
          AGE);
    }

    private static List<String> listPorts(JsonObject slice) {
      return ValidatedObject.reading(slice).children("ports").stream()
          .map(p -> p.has("port") ? p.text("port") : orElse(p.text("name"), "*"))
          .toList();
    }

    private static List<String> listAddresses(JsonObject slice) {
      return ValidatedObject.reading(slice).children("endpoints").stream()
          .flatMap(e -> e.strings("addresses").stream())
          .toList();
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validate(object, text(old, "addressType"), errors);
      if (!text(object, "addressType").equals(text(old, "addressType"))) {
        errors.addImmutable("addressType", text(object, "addressType"));
      }
    }
  }
}
