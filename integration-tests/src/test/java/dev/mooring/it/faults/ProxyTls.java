package dev.mooring.it.faults;

import dev.mooring.apiserver.tls.CertificateAuthority;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLServerSocketFactory;

/**
 * A temporary certificate for the loopback address.
 *
 * @param sockets listen with the certificate
 * @param authority the issuing CA in PEM
 */
public record ProxyTls(SSLServerSocketFactory sockets, String authority) {
  public static ProxyTls make() throws GeneralSecurityException {
    CertificateAuthority authority = new CertificateAuthority();
    return new ProxyTls(authority.server().getServerSocketFactory(), authority.pem());
  }
}
