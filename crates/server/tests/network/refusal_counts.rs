//! The metric of the refusals: an operator sees which quota was reached, and no other.

use std::collections::BTreeMap;

use metrics_exporter_prometheus::PrometheusHandle;

use super::own_process::is_alone;
use super::test_server::metrics;
use super::{limits, log_ins, quotas, sleeping_tables};

/// How often each quota has refused something so far.
fn counts(metrics: &PrometheusHandle) -> BTreeMap<String, u64> {
    let text = metrics.render();
    let lines = text.lines().filter_map(|line| {
        let (label, count) = line.strip_prefix("ghinda_quota_refusals_total{")?.split_once("} ")?;
        Some((label.split('"').nth(1)?.to_owned(), count.parse().ok()?))
    });
    lines.collect()
}

/// The other quotas are counted by the tests of what they bound.
#[test]
fn what_clients_reach_is_counted_under_its_own_name() {
    if !is_alone("refusal_counts::what_clients_reach_is_counted_under_its_own_name") {
        return;
    }
    let metrics = metrics();
    let reached: [(&str, fn()); 10] = [
        ("tables", sleeping_tables::a_player_opens_so_many_tables_and_no_more),
        ("ledgers", quotas::a_player_has_so_many_ledgers_and_no_more),
        ("ledger_bytes", quotas::an_address_writes_so_much_to_ledgers_and_no_more),
        ("table_bytes", quotas::a_player_says_so_much_at_tables_and_no_more),
        ("play_bytes", quotas::a_player_plays_so_much_and_no_more),
        ("requests", quotas::so_many_requests_are_under_way_and_no_more),
        ("requests", quotas::so_many_uploads_are_under_way_and_no_more),
        ("costly_requests", limits::what_is_costly_is_rationed),
        ("connections", limits::one_address_gets_so_many_connections_and_no_more),
        ("wrong_passphrases", log_ins::too_many_wrong_passphrases_delay_a_name_and_no_other),
    ];
    for (quota, reach) in reached {
        let before = counts(metrics);
        reach();
        let mut after = counts(metrics);
        after.retain(|name, count| before.get(name) != Some(count));
        assert_eq!(after.into_keys().collect::<Vec<_>>(), [quota]);
    }
}
