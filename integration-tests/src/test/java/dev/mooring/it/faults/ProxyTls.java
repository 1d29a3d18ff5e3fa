package dev.mooring.it.faults;

import dev.mooring.apiserver.tls.Authority;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLServerSocketFactory;

/**
 * A certificate for the loopback address, made for the time of a test.
 *
 * @param sockets listen with it
 * @param authority who vouches for it, in PEM
 */
public record ProxyTls(SSLServerSocketFactory sockets, String authority) {
  /** Makes one. */
  public static ProxyTls make() throws GeneralSecurityException {
    Authority authority = new Authority();
    return new ProxyTls(authority.server().getServerSocketFactory(), authority.pem());
  }
}
