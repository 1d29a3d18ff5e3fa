package dev.mooring.apiserver.kinds.network;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.IpAddresses;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

public final class NetworkStrategy {
  private static final Pattern IPV4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final String LOOPBACK_ERROR =
      "may not be in the loopback range (127.0.0.0/8, ::1/128)";

  private NetworkStrategy() {}

  private static void rejectSpecialAddress(String ip, String field, FieldErrors errors) {
    if (ip.startsWith("127.") || ip.equals("::1")) {
      errors.addInvalid(field, ip, LOOPBACK_ERROR);
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

  private static void validateNodeName(ValidatedObject endpoint) {
    if (endpoint.has("nodeName")) {
      endpoint.requireSubdomain("nodeName");
    }
  }

  public static final class EndpointsStrategy extends DeclaredStrategy {
    public EndpointsStrategy() {
      super("endpoints", "Endpoints");
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      new ValidatedObject(object, "", errors)
          .forEachChild("subsets", EndpointsStrategy::validateSubset);
    }

    private static void validateSubset(ValidatedObject subset) {
      if (!subset.has("addresses") && !subset.has("notReadyAddresses")) {
        subset.addSelfRequired("must specify `addresses` or `notReadyAddresses`");
      }
      for (String listField : List.of("addresses", "notReadyAddresses")) {
        for (ValidatedObject address : subset.getChildren(listField)) {
          validateAddress(address.text("ip"), address.path("ip"), address.errors());
          address.checkLabel("hostname");
          validateNodeName(address);
        }
      }
      List<ValidatedObject> ports = subset.getChildren("ports");
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
      if (!IPV4.matcher(ip).matches() && !IPV6.matcher(ip).matches()) {
        errors.addInvalid(
            field, ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        errors.addInvalid(field, ip, "must be a valid IP address");
      } else {
        rejectSpecialAddress(ip, field, errors);
      }
    }
  }

  public static final class EndpointSliceStrategy extends DeclaredStrategy {
    public EndpointSliceStrategy() {
      super("endpointslices.discovery.k8s.io", "EndpointSlice");
    }

    @Override
    public MetadataChecks getMetadataChecks() {
      return MetadataChecks.OBJECT_ONLY;
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
      validateSlice(object, textAt(object, "addressType"), errors);
    }

    // Validates a slice whose addresses have the given type, regardless of its addressType.
    private static void validateSlice(JsonObject object, String assumedType, FieldErrors errors) {
      String type = textAt(object, "addressType");
      List<String> types = List.of("IPv4", "IPv6", "FQDN");
      if (type.isEmpty()) {
        errors.addRequired("addressType", "");
      } else if (!types.contains(type)) {
        errors.addNotSupported("addressType", type, types);
      }
      ValidatedObject slice = new ValidatedObject(object, "", errors);
      for (ValidatedObject endpoint : slice.getChildren("endpoints")) {
        validateAddresses(
            endpoint.strings("addresses"), assumedType, endpoint.path("addresses"), errors);
        if (endpoint.has("hostname")) {
          endpoint.requireLabel("hostname");
        }
        validateNodeName(endpoint);
        validateZones(endpoint.getChild("hints"));
      }
      Set<String> names = new HashSet<>();
      for (ValidatedObject port : slice.getChildren("ports")) {
        port.requireUnique(names, "name");
        validatePort(port);
      }
    }

    private static void validateZones(ValidatedObject hints) {
      Set<String> names = new HashSet<>();
      for (ValidatedObject zone : hints.getChildren("forZones")) {
        zone.requireUnique(names, "name");
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
        } else if (type.equals("IPv4") && !IPV4.matcher(address).matches()) {
          errors.addInvalid(field, address, "must be an IPv4 address");
        } else if (type.equals("IPv6") && !IPV6.matcher(address).matches()) {
          errors.addInvalid(field, address, "must be an IPv6 address");
        }
        if (!type.equals("FQDN")) {
          rejectSpecialAddress(address, field + "[" + i + "]", errors);
        }
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
      validateSlice(object, textAt(old, "addressType"), errors);
      if (!textAt(object, "addressType").equals(textAt(old, "addressType"))) {
        errors.addImmutable("addressType", textAt(object, "addressType"));
      }
    }
  }
}
