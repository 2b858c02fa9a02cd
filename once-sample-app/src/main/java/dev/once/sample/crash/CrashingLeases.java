package dev.once.sample.crash;

import java.util.List;
import java.util.Optional;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;

/**
 * A lease table with a point before and after each of its commits.
 */
class CrashingLeases implements LeaseStore {

	private final LeaseStore leases;

	private final KillSwitch killSwitch;

	CrashingLeases(LeaseStore leases, KillSwitch killSwitch) {
		this.leases = leases;
		this.killSwitch = killSwitch;
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		this.killSwitch.pass(KillPoint.BEFORE_CLAIM);
		List<Claim> claims = this.leases.claim(requests);
		this.killSwitch.pass(KillPoint.AFTER_CLAIM);
		return claims;
	}

	@Override
	public List<Renewal> renew(List<Hold> holds) {
		this.killSwitch.pass(KillPoint.BEFORE_RENEWAL);
		List<Renewal> renewals = this.leases.renew(holds);
		this.killSwitch.pass(KillPoint.AFTER_RENEWAL);
		return renewals;
	}

	@Override
	public List<Release> release(List<Hold> holds) {
		this.killSwitch.pass(KillPoint.BEFORE_RELEASE);
		List<Release> releases = this.leases.release(holds);
		this.killSwitch.pass(KillPoint.AFTER_RELEASE);
		return releases;
	}

	@Override
	public List<Optional<Registration>> register(List<Registration> registrations) {
		return this.leases.register(registrations);
	}

	@Override
	public Optional<LeaseRow> find(String job) {
		return this.leases.find(job);
	}

	@Override
	public List<LeaseRow> findAll() {
		return this.leases.findAll();
	}

}
